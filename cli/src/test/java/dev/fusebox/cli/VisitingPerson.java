package dev.fusebox.cli;

import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.protocol.DeviceCode;
import java.net.URI;

/// A person whose browser follows the redirect of the authorization server to the callback. Stateless.
record VisitingPerson() implements LoginFlow.Person {
    @Override
    public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
        Thread.ofVirtual().start(() -> PersonAtTerminal.visit(url));
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
