/// The tool `mcp_provision`: finds servers in a registry that the operator names, and adds trusted ones.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.provision;
