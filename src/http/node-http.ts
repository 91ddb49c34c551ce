/** `node:http` without its WebSocket: an import statement would read every export, which loads 20 ms of modules. */
export const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http');
