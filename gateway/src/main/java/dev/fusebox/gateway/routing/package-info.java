/// Servers that stand in for others: which failures are handed on, and who is asked first. Pure rules.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.routing;
