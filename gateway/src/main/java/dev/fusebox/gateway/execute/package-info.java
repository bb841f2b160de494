/// `mcp_execute`: scripts of models, whose calls take the way of all calls.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.execute;
