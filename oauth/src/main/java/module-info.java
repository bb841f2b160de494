/// Logins to MCP servers by OAuth: discovery, client registration, login flows, the token store and refreshes.
@org.jspecify.annotations.NullMarked
module dev.fusebox.oauth {
    requires dev.fusebox.breaker;
    requires transitive dev.fusebox.client;
    requires transitive dev.fusebox.http;
    requires transitive dev.fusebox.platform;
    requires dev.fusebox.protocol;
    requires static org.jspecify;

    exports dev.fusebox.oauth;
    exports dev.fusebox.oauth.login;
    exports dev.fusebox.oauth.protocol;
    exports dev.fusebox.oauth.secret;
    exports dev.fusebox.oauth.token;
}
