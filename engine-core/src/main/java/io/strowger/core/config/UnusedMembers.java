package io.strowger.core.config;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says which members of a file nothing reads yet, so that nobody relies on them. A feature that
 * gets built takes its line out of here.
 */
final class UnusedMembers {
  private static final List<String> UNBUILT_OF_GUARDRAILS =
      List.of("enable_free_model_publication");

  private final List<String> lines = new ArrayList<>();

  private UnusedMembers() {}

  /** One sentence each, in the order of the file's documentation. */
  static List<String> in(ConfigSections configSections) {
    var unusedMembers = new UnusedMembers();
    unusedMembers.guardrails(configSections.account.guardrails());
    return unusedMembers.lines;
  }

  /** All else that guardrails say is built. */
  private void guardrails(List<Guardrail> guardrails) {
    for (String name : UNBUILT_OF_GUARDRAILS) {
      if (guardrails.stream().anyMatch(guardrail -> isSet(guardrail.body().get(name)))) {
        say("account.guardrails." + name, "nothing is limited by it");
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

  private void say(String what, String consequence) {
    lines.add(what + " has no effect yet: " + consequence);
  }
}
