/// The commands of Fusebox and its main class. Nothing here is meant to be called from other modules.
@org.jspecify.annotations.NullMarked
module dev.fusebox.cli {
    requires dev.fusebox.breaker;
    requires dev.fusebox.config;
    requires dev.fusebox.gateway;
    requires dev.fusebox.sandbox;
    requires dev.fusebox.platform;
    requires static org.jspecify;
}
