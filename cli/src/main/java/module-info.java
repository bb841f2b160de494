/// The command-line interface of Fusebox and its main class. It exports nothing.
@org.jspecify.annotations.NullMarked
module dev.fusebox.cli {
    requires dev.fusebox.breaker;
    requires dev.fusebox.config;
    requires dev.fusebox.demo;
    requires dev.fusebox.doctor;
    requires dev.fusebox.gateway;
    requires dev.fusebox.oauth;
    requires dev.fusebox.sandbox;
    requires dev.fusebox.platform;
    requires static org.jspecify;
}
