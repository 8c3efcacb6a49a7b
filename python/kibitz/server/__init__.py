"""`kibitz serve`: the engine over HTTP and WebSocket, tables against bots, and the page to look at them.

Needs the extra `server` (starlette, uvicorn, websockets); nothing here is imported by `import kibitz`. The app is made
by `kibitz.server.app.create_app`, the running server by `kibitz.server.running.run`.
"""
