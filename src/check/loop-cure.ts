/** What to do about a server whose redirects lead back to where they began. */
export const LOOP_CURE = `Mostly a proxy in front asks by http, and the server redirects http to https, again and again. With Cloudflare, set SSL/TLS to Full (strict). Behind another proxy, Loops must trust what it says of https; in bootstrap/app.php:

    $middleware->trustProxies(at: '*');

Else a line of the web server redirects an address to itself; this finds those of nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/`;
