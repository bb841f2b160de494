/// Approval of project configuration files: which of them this user has allowed to run.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.approval;
