package io.strowger.core.config;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the members of a file that have no effect yet, so that no operator relies on them. Remove
 * a member here when its feature is built.
 */
final class UnusedMembers {
  private static final List<String> UNUSED_GUARDRAIL_MEMBERS =
      List.of("enable_free_model_publication");

  private final List<String> warnings = new ArrayList<>();

  private UnusedMembers() {}

  /** Returns one sentence for each such member, in the order of the file's documentation. */
  static List<String> warnings(ConfigSections configSections) {
    var unusedMembers = new UnusedMembers();
    unusedMembers.addGuardrailWarnings(configSections.account.guardrails());
    return unusedMembers.warnings;
  }

  /** Warns of the guardrail members without an effect; all others have one. */
  private void addGuardrailWarnings(List<Guardrail> guardrails) {
    for (String name : UNUSED_GUARDRAIL_MEMBERS) {
      if (guardrails.stream().anyMatch(guardrail -> isSet(guardrail.body().get(name)))) {
        addWarning("account.guardrails." + name, "nothing is limited by it");
      }
    }
  }

  private static boolean isSet(@Nullable Json value) {
    return switch (value) {
      case null -> false;
      case Json.Null none -> false;
      case Json.Arr arr -> !arr.isEmpty();
      case Json.Obj obj -> obj.size() > 0;
      case Json.Str str -> true;
      case Json.Num num -> true;
      case Json.Bool bool -> true;
    };
  }

  private void addWarning(String member, String consequence) {
    warnings.add(member + " has no effect yet: " + consequence);
  }
}
