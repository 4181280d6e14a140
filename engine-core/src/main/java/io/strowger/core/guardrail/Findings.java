package io.strowger.core.guardrail;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that matched in one request or answer. Confined to one thread. */
final class Findings {
  private static final String TYPE = "guardrail";

  private final Set<FilterRule> rules = new LinkedHashSet<>();
  private final Set<String> injections = new LinkedHashSet<>();
  private final Set<FilterRule> stopping = new LinkedHashSet<>();
  private @Nullable String blockedText;

  void add(FilterRule rule, String text, CooperativeScan scan) {
    rules.add(rule);
    if (rule.action() == FilterAction.BLOCK) {
      addBlocking(rule);
      blockedText = blockedText == null ? text : blockedText;
    }
    if (rule.injection()) {
      injections.addAll(InjectionPattern.namesIn(text, scan));
    }
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Records that a rule blocks, even if that is not its action. */
  void addBlocking(FilterRule rule) {
    rules.add(rule);
    stopping.add(rule);
  }

  boolean blocked() {
    return !stopping.isEmpty();
  }

  /** Returns the first text in which a blocking rule matched; empty when there is none. */
  String blockedText() {
    return Objects.requireNonNullElse(blockedText, "");
  }

  /** Returns the names of the rules that block. */
  Set<String> blocking() {
    var names = new LinkedHashSet<String>();
    stopping.forEach(rule -> names.add(rule.name()));
    return names;
  }

  /** Returns the names of all rules that matched. */
  Set<String> allNames() {
    var names = new LinkedHashSet<String>();
    rules.forEach(rule -> names.add(rule.name()));
    return names;
  }

  /** Returns the strongest action of the rules that matched; at least one must have matched. */
  FilterAction strongest() {
    return blocked()
        ? FilterAction.BLOCK
        : rules.stream().map(FilterRule::action).min(Comparator.naturalOrder()).orElseThrow();
  }

  /**
   * Returns a 403 error with the names of the rules that block.
   *
   * @param what the subject that is blocked: {@code Request} or {@code Answer}
   */
  GatewayError refusal(String what) {
    var names = new LinkedHashSet<String>();
    for (FilterRule rule : stopping) {
      names.addAll(rule.injection() && !injections.isEmpty() ? injections : Set.of(rule.name()));
    }
    return GatewayError.of(
            ErrorCode.PERMISSION_DENIED, what + " blocked: it matches " + String.join(", ", names))
        .withMetadata("patterns", list(names));
  }

  /** Returns the entries for the {@code pipeline}. Plugins fact sheet, section 1. */
  List<TraceEntry.Stage> stages() {
    var stages = new ArrayList<TraceEntry.Stage>();
    FilterAction content = strongest(false);
    if (content != null) {
      Json.Obj data =
          Json.object()
              .put("flagged", true)
              .put("decision", content.wireName())
              .put("matched_entity_types", list(names()))
              .build();
      stages.add(new TraceEntry.Stage(TYPE, "content-filter", summary(content, names()), data));
    }
    FilterAction injection = strongest(true);
    if (injection != null) {
      Json.Obj data =
          Json.object()
              .put("action", injection.wireName())
              .put("detected", true)
              .put("engines", Json.array(Json.of("regex")))
              .put("patterns", list(injections))
              .build();
      stages.add(
          new TraceEntry.Stage(TYPE, "regex_pi_detection", summary(injection, injections), data));
    }
    return stages;
  }

  private static String summary(FilterAction filterAction, Collection<String> names) {
    String did =
        switch (filterAction) {
          case BLOCK -> "blocked";
          case REDACT -> "redacted";
          case FLAG -> "flagged";
        };
    return did + ": " + String.join(", ", names);
  }

  private @Nullable FilterAction strongest(boolean injection) {
    FilterAction strongest = null;
    for (FilterRule rule : rules) {
      FilterAction filterAction = stopping.contains(rule) ? FilterAction.BLOCK : rule.action();
      if (rule.injection() == injection
          && (strongest == null || filterAction.compareTo(strongest) < 0)) {
        strongest = filterAction;
      }
    }
    return strongest;
  }

  private Set<String> names() {
    var names = new LinkedHashSet<String>();
    for (FilterRule rule : rules) {
      if (!rule.injection()) {
        names.add(rule.name());
      }
    }
    return names;
  }

  private static Json.Arr list(Collection<String> names) {
    return Json.array(names.stream().map(Json::of).toList());
  }
}
