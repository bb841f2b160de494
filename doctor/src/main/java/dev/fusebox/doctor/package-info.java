/// Diagnostics of configuration and servers: [dev.fusebox.doctor.Diagnostics] checks all servers in
/// parallel, each within its own limits, and returns findings with cause, evidence and remedy.
@org.jspecify.annotations.NullMarked
package dev.fusebox.doctor;
