/// The gateway that clients talk to.
// The library for traces has no module descriptors, and its way out needs what it does not say.
@SuppressWarnings("requires-automatic")
@org.jspecify.annotations.NullMarked
module dev.fusebox.gateway {
    requires transitive dev.fusebox.breaker;
    requires transitive dev.fusebox.client;
    requires transitive dev.fusebox.config;
    requires transitive dev.fusebox.http;
    requires transitive dev.fusebox.oauth;
    requires transitive dev.fusebox.sandbox;
    requires transitive dev.fusebox.platform;
    requires dev.fusebox.schema;
    requires dev.fusebox.search;
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires io.opentelemetry.exporter.otlp;
    requires io.opentelemetry.sdk.common;
    requires io.opentelemetry.sdk.trace;
    requires java.logging;
    requires java.net.http;
    requires jdk.net;
    requires static org.jspecify;

    exports dev.fusebox.gateway;
    exports dev.fusebox.gateway.admin;
    exports dev.fusebox.gateway.approval;
    exports dev.fusebox.gateway.cache;
    exports dev.fusebox.gateway.catalog;
    exports dev.fusebox.gateway.era;
    exports dev.fusebox.gateway.execute;
    exports dev.fusebox.gateway.extension;
    exports dev.fusebox.gateway.front;
    exports dev.fusebox.gateway.lifecycle;
    exports dev.fusebox.gateway.observe;
    exports dev.fusebox.gateway.pool;
    exports dev.fusebox.gateway.provision;
    exports dev.fusebox.gateway.reload;
    exports dev.fusebox.gateway.result;
    exports dev.fusebox.gateway.routing;
    exports dev.fusebox.gateway.session;
    exports dev.fusebox.gateway.settings;
    exports dev.fusebox.gateway.share;
    exports dev.fusebox.gateway.task;
    exports dev.fusebox.gateway.tools;
    exports dev.fusebox.gateway.upstream;
}
