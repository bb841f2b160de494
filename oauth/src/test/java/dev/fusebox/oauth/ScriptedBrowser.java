package dev.fusebox.oauth;

import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.protocol.DeviceCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/// A person whose browser follows the redirect of the authorization server to the callback. Thread-safe; nothing
/// blocks.
record ScriptedBrowser() implements LoginFlow.Person {
    @Override
    public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
        Thread.ofVirtual().start(() -> visit(url));
    }

    static void visit(URI url) {
        try (InputStream page = url.toURL().openStream()) {
            page.readAllBytes();
        } catch (IOException failed) {
            // The login then times out.
        }
    }

    @Override
    public void enterCode(DeviceCode deviceCode) {
        throw new AssertionError("this login has a browser");
    }

    @Override
    public boolean isGone() {
        return false;
    }
}
