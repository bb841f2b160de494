package dev.fusebox.conventions;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import java.util.List;

/// The target of an access in bytecode: a method, a constructor (named `<init>`) or a field, with the type that
/// declares it, not the subtype that the code names. Immutable.
record Target(String owner, String name, List<String> parameters) {
    static Target of(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        JavaClass owner = target.resolveMember()
                .map(member -> ((JavaMember) member).getOwner())
                .orElse(target.getOwner());
        List<String> parameters = target instanceof CodeUnitAccessTarget unit
                ? unit.getRawParameterTypes().stream().map(JavaClass::getName).toList()
                : List.of();
        return new Target(owner.getName(), target.getName(), parameters);
    }

    boolean is(String type, String... names) {
        return owner.equals(type) && List.of(names).contains(name);
    }

    boolean isConstructorOf(String type) {
        return is(type, "<init>");
    }

    boolean takes(String type) {
        return parameters.contains(type);
    }

    boolean takesNothing() {
        return parameters.isEmpty();
    }
}
