/// The parts of a login by a person: the authorization request and its response, the callback, the browser.
package dev.fusebox.oauth.login;
