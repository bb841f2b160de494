/// The WebSocket transport: one message in each text message, with the subprotocol `mcp`.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.websocket;
