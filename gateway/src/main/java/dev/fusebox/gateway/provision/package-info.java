/// `mcp_provision`: finds servers that are not configured in a registry that the operator names, and adds those that
/// he trusts.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.provision;
