import type { FastifyReply } from 'fastify';
import type { Endpoint } from './endpoint.ts';

/**
 * `GET /media/avatars/{file}` and `GET /media/videos/{file}`: SVG images for the avatars and thumbnails of the resources, and
 * one short MP4 file for every video.
 */
export const mediaEndpoint: Endpoint = (app, stateOf) => {
  app.get<{ Params: { file: string } }>('/media/avatars/:file', (request, reply) => {
    const account = stateOf(request).data.accounts.find(idOf(request.params.file));
    if (account === undefined) return sendNotFound(reply);
    return sendImage(reply, svgImage(account.id, 128, 128, initialOf(String(account.name))));
  });
  app.get<{ Params: { file: string } }>('/media/videos/:file', (request, reply) => {
    const { videos } = stateOf(request).data;
    const mp4 = /^(.+)\.mp4$/.exec(request.params.file)?.[1];
    if (mp4 !== undefined && videos.find(mp4) !== undefined) return sendClip(reply);
    const video = videos.find(idOf(request.params.file));
    if (video === undefined) return sendNotFound(reply);
    return sendImage(reply, svgImage(video.id, video.media?.width, video.media?.height, '▶'));
  });
};

/** Sends the file, or one range of it (RFC 9110 section 14). Several ranges at once are answered with the whole file. */
function sendClip(reply: FastifyReply): FastifyReply {
  reply.type('video/mp4').header('accept-ranges', 'bytes').header('cache-control', 'no-cache');
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(reply.request.headers.range ?? '') ?? [];
  if (first === '' && last === '') return reply.send(clip);
  const start = first === '' ? Math.max(0, clip.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? clip.length - 1 : Math.min(Number(last), clip.length - 1);
  if (start > end) return reply.code(416).header('content-range', `bytes */${clip.length}`).send();
  const range = `bytes ${start}-${end}/${clip.length}`;
  return reply
    .code(206)
    .header('content-range', range)
    .send(clip.subarray(start, end + 1));
}

/** 404 in every profile, also in `live`, which answers other unknown paths with its web app. */
function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ message: 'Not Found.' });
}

/** The id in the name of an SVG file; empty for any other file, which matches nothing. */
function idOf(file: string): string {
  return /^(.+)\.svg$/.exec(file)?.[1] ?? '';
}

/** The first character of a name if it is visible, else empty. */
function initialOf(name: string): string {
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.exec(name)?.[0] ?? '';
}

/** `width` and `height` are in pixels; a test may have set another type, which gives NaN. */
function svgImage(id: string, width: unknown, height: unknown, label: string): string {
  const hue = [...id].reduce((sum, character) => (7 * sum + character.charCodeAt(0)) % 360, 0);
  const text = label.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Number(width)}" height="${Number(height)}" viewBox="0 0 100 100">
<rect width="100" height="100" fill="hsl(${hue} 60% 35%)"/>
<text x="50" y="50" font-size="48" fill="#fff" text-anchor="middle" dominant-baseline="central">${text}</text>
</svg>
`;
}

function sendImage(reply: FastifyReply, svg: string): FastifyReply {
  return reply
    .type('image/svg+xml')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', "default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .send(svg);
}

/** A video of two seconds, 144 by 256 pixels, H.264 without sound in an MP4 file; it is sent for every video. */
const clip = Buffer.from(
  'AAAAGGZ0eXBtcDQyAAAAAG1wNDJpc29tAAAAiGZyZWUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABTltZGF0AAAAz2W4Ef//+HooAfJuTk5OTk5OTk3JycnJycnJyfH//giigAE/HAALX//8IwyYK///hGGTBX//8IwyYK///hGGTBX//8IwyYK///hGGTBX//8IwyYK///hGGTBUnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJycnJyeAAAAF9h4R/AIB///////4k0f/+CKKAAS8cAAvZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHYnxPifE+J8T4nxPieBtgAAAIRh4h4TwED4CB8BA+AgfAQPgIHwED4CB8BA+AQDwCAeAQDwCAeAQDwCAeAQDwCAeAQDNH//giigAEvHAAL2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2J8T4nxPifE+J8T4ngW4AAACFYeMeCXAQPgIHwED4CB8BA+AgfAQPgIHwED4BAPAIB4BAPAIB4BAPAIB4BAPAIB4BAM0f/+CKKAAS8cAAvZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHYnxPifE+J8T4nxPieBJgAAAAIRh5B4N8BA+AgfAQPgIHwED4CB8BA+AgfAQPgEA8AgHgEA8AgHgEA8AgHgEA8AgHgEAzR//4IooABLxwAC9m//+EYYkDs3//wjDEgdm//+EYYkDs3//wjDEgdm//+EYYkDs3//wjDEgdm//+EYYkDs3//wjDEgdifE+J8T4nxPifE+J4N4AAACFYeUeBJwED4CB8BA+AgfAQPgIHwED4CB8BA+AQDwCAeAQDwCAeAQDwCAeAQDwCAeAQDNH//giigAEvHAAL2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2J8T4nxPifE+J8T4nglgAAAAIRh5h4FvAQPgIHwED4CB8BA+AgfAQPgIHwED4BAPAIB4BAPAIB4BAPAIB4BAPAIB4BAM0f/+CKKAAS8cAAvZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHZv//hGGJA7N//8IwxIHYnxPifE+J8T4nxPieE4AAACDYeceBtwED4CB8BA+AgfAQPgIHwED4CB8BA+AQDwCAeAQDwCAeAQDwCAeAQDwCAeAQDNH//giigAEvHAAL2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2b//4RhiQOzf//CMMSB2J8T4nxPifE+J8T4nwAAABSYegfN//8PRQD8TinE+J8T4nxPifE+b5FkX5InxPifE+J8T4nxPA24CB8BA+AgfAQPgIHwED4CB8BA+AgfAQPgIHwED4CB8BA+AgfAQPgIHwEDgAAAHBh6R83//wRRR8cAAtYneJ8T4nxPifE+J+BxAQESaP//BFFAAJeOAAXs3//wjDEgdm//+EYYkDs3//wjDEgdm//+EYYkDs3//wjDEgdm//+EYYkDs3//wjDEgdm//+EYYkDsT4nxPifE+J8T4nxPA2wAAACj21vb3YAAABsbXZoZAAAAADnLnp85y56fQABX5AAAr8gAAEAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAAYaW9kcwAAAAAQgICABwBP////f/8AAAIDdHJhawAAAFx0a2hkAAAAAecuenznLnp9AAAAAQAAAAAAAr8gAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAACQAAABAAAAAAABn21kaWEAAAAgbWRoZAAAAADnLnp85y56fQABX5AAAr8gVcQAAAAAACFoZGxyAAAAAAAAAAB2aWRlAAAAAAAAAAAAAAAAAAAAAVZtaW5mAAAAFHZtaGQAAAABAAAAAAAAAAAAAAAkZGluZgAAABxkcmVmAAAAAAAAAAEAAAAMdXJsIAAAAAEAAAEWc3RibAAAAIZzdHNkAAAAAAAAAAEAAAB2YXZjMQAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAACQAQAASAAAAEgAAAAAAAAAAQ5KVlQvQVZDIENvZGluZwAAAAAAAAAAAAAAAAAAAAAAABj//wAAACBhdmNDAUIAC//hAAhnQgALpoJCGQEABWjOA5yAAAAAGHN0dHMAAAAAAAAAAQAAAAoAAEZQAAAAPHN0c3oAAAAAAAAAAAAAAAoAAADTAAAAYwAAAIgAAACJAAAAiAAAAIkAAACIAAAAhwAAAFYAAAB0AAAAHHN0c2MAAAAAAAAAAQAAAAEAAAAFAAAAAQAAABhzdGNvAAAAAAAAAAIAAACoAAADdwAAAIhmcmVlAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'base64',
);
