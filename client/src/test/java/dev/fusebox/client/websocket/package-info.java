@org.jspecify.annotations.NullMarked
package dev.fusebox.client.websocket;
