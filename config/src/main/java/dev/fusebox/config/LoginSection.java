package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;

/// The section `login`.
final class LoginSection {
    static final SectionType SECTION = new SectionType("login");

    static final ConfigKey<LoginConfig.Ask> ASK = SECTION.key(
            "ask",
            Choice.of(LoginConfig.Ask.values()),
            "\"elicitation\"",
            "What a call does that needs a login. `elicitation`: the client shows a link to its user, if it"
                    + " supports URL elicitation, and the call waits. `never`: the call fails and names the command to"
                    + " run.");

    private LoginSection() {}

    static LoginConfig read(ConfigSection login) {
        return new LoginConfig(login.value(ASK));
    }
}
