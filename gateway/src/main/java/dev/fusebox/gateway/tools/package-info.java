/// The gateway's own tools: `mcp_discover`, `mcp_call` and what they are built on. A new tool is a class that
/// implements [dev.fusebox.gateway.tools.GatewayTool] and is added where the tools are assembled.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.tools;
