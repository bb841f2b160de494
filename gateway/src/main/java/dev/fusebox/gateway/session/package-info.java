/// What all front ends share: session settings and limits, protocol revisions, and the form of responses.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.session;
