package io.strowger.core.guardrail;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was found in one request: names of filters, never what they matched. For one thread. */
final class Findings {
  private static final String TYPE = "guardrail";

  private final Set<FilterRule> rules = new LinkedHashSet<>();
  private final Set<String> injections = new LinkedHashSet<>();

  void add(FilterRule rule, String text, CooperativeScan scan) {
    rules.add(rule);
    if (rule.injection()) {
      injections.addAll(Injection.namesIn(text, scan));
    }
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  boolean blocked() {
    return rules.stream().anyMatch(rule -> rule.action() == Action.BLOCK);
  }

  /** 403 with the names of what blocked. */
  GatewayError refusal() {
    var names = new LinkedHashSet<String>();
    for (FilterRule rule : rules) {
      if (rule.action() == Action.BLOCK) {
        names.addAll(rule.injection() ? injections : Set.of(rule.name()));
      }
    }
    return GatewayError.of(
            ErrorCode.PERMISSION_DENIED, "Request blocked: it matches " + String.join(", ", names))
        .withMetadata("patterns", list(names));
  }

  /** What the {@code pipeline} tells of it. Plugins fact sheet, section 1. */
  List<TraceEntry.Stage> stages() {
    var stages = new ArrayList<TraceEntry.Stage>();
    Action content = strongest(false);
    if (content != null) {
      Json.Obj data =
          Json.object()
              .put("flagged", true)
              .put("decision", content.wireName())
              .put("matched_entity_types", list(names()))
              .build();
      stages.add(new TraceEntry.Stage(TYPE, "content-filter", summary(content, names()), data));
    }
    Action injection = strongest(true);
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

  private static String summary(Action action, Collection<String> names) {
    String did =
        switch (action) {
          case BLOCK -> "blocked";
          case REDACT -> "redacted";
          case FLAG -> "flagged";
        };
    return did + ": " + String.join(", ", names);
  }

  private @Nullable Action strongest(boolean injection) {
    Action strongest = null;
    for (FilterRule rule : rules) {
      if (rule.injection() == injection
          && (strongest == null || rule.action().compareTo(strongest) < 0)) {
        strongest = rule.action();
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
