/// Protocol extensions through the aggregation: which ones the gateway announces, and the addresses of apps and skills
/// where several servers have the same one. Knows nothing of calls.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.extension;
