"""Scrapy spider that sends the requests of crawl-floor.ts. Argument: `-a file=` the input file of crawl-floor.ts."""

import json
import socket

import scrapy

socket.gethostbyname = lambda name: "127.0.0.1"


class FloorSpider(scrapy.Spider):
    name = "floor"
    handle_httpstatus_list = [404]
    custom_settings = {
        "DOWNLOADER_CLIENTCONTEXTFACTORY": "scrapy.core.downloader.contextfactory.BrowserLikeContextFactory",
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
        "TELNETCONSOLE_ENABLED": False,
    }
    read = 0

    def start_requests(self):
        with open(self.file) as file:
            hosts = json.load(file)["hosts"]
        for host in hosts:
            yield scrapy.Request(f"https://{host['domain']}/robots.txt", callback=self.parse_robots)

    def parse_robots(self, response):
        # Read, not obeyed: the robots.txt of a stock Loops server excludes its API.
        yield response.follow("/api/v1/config", callback=self.parse_config, priority=1)

    def parse_config(self, response):
        if response.status == 200:
            self.read += response.json()["app"]["software"] == "loops"
        else:
            yield response.follow("/.well-known/nodeinfo", callback=self.parse_discovery, priority=1)

    def parse_discovery(self, response):
        yield response.follow(response.json()["links"][0]["href"], callback=self.parse_nodeinfo, priority=1)

    def parse_nodeinfo(self, response):
        self.read += "name" in response.json()["software"]

    def closed(self, reason):
        print(json.dumps({"read": self.read}))
