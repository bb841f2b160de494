/// The tool `mcp_execute`: scripts of models, whose tool calls take the same path as all calls.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.execute;
