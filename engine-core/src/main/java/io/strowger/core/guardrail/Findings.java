package io.strowger.core.guardrail;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules that matched in one request or answer. Confined to one thread. */
final class Findings {
  private static final String TYPE = "guardrail";

  /** Stands for a rule's name where an answer has more separate texts than can be scanned. */
  private static final String TOO_MANY_TEXTS = "too-many-texts";

  private final Set<FilterRule> rules = new LinkedHashSet<>();
  private final Set<String> injectionNames = new LinkedHashSet<>();
  private final Set<FilterRule> blockingRules = new LinkedHashSet<>();
  private @Nullable String blockedText;
  private boolean hasTooManyTexts;

  void add(FilterRule rule, String text, CooperativeScan scan) {
    rules.add(rule);
    if (rule.action() == FilterAction.BLOCK) {
      addBlocking(rule);
      blockedText = blockedText == null ? text : blockedText;
    }
    if (rule.detectsInjection()) {
      injectionNames.addAll(InjectionPattern.namesIn(text, scan));
    }
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Records that a rule blocks, even if that is not its action. */
  void addBlocking(FilterRule rule) {
    rules.add(rule);
    blockingRules.add(rule);
  }

  /** Blocks an answer with more separate texts than can be scanned, whatever they contain. */
  void blockTooManyTexts() {
    hasTooManyTexts = true;
  }

  boolean isBlocked() {
    return hasTooManyTexts || !blockingRules.isEmpty();
  }

  /** Returns the first text in which a blocking rule matched; empty when there is none. */
  String blockedText() {
    return Objects.requireNonNullElse(blockedText, "");
  }

  /** Returns the names of the rules that block, and {@value #TOO_MANY_TEXTS} if that blocks. */
  Set<String> blockingNames() {
    var names = new LinkedHashSet<String>();
    if (hasTooManyTexts) {
      names.add(TOO_MANY_TEXTS);
    }
    blockingRules.forEach(rule -> names.add(rule.name()));
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
    return isBlocked()
        ? FilterAction.BLOCK
        : rules.stream().map(FilterRule::action).min(Comparator.naturalOrder()).orElseThrow();
  }

  /**
   * Returns a 403 error with the names of the rules that block, and {@value #TOO_MANY_TEXTS} if
   * that blocks.
   *
   * @param subject the subject that is blocked: {@code Request} or {@code Answer}
   */
  GatewayError refusal(String subject) {
    var names = new LinkedHashSet<String>();
    if (hasTooManyTexts) {
      names.add(TOO_MANY_TEXTS);
    }
    for (FilterRule rule : blockingRules) {
      names.addAll(
          rule.detectsInjection() && !injectionNames.isEmpty()
              ? injectionNames
              : Set.of(rule.name()));
    }
    return GatewayError.of(
            ErrorCode.PERMISSION_DENIED,
            subject + " blocked: it matches " + String.join(", ", names))
        .withMetadata("patterns", Json.strings(names));
  }

  /** Returns the entries for the {@code pipeline}. Plugins fact sheet, section 1. */
  List<TraceEntry.Stage> stages() {
    var stages = new ArrayList<TraceEntry.Stage>();
    FilterAction contentAction = strongest(false);
    if (contentAction != null) {
      Json.Obj data =
          Json.object()
              .put("flagged", true)
              .put("decision", contentAction.wireName())
              .put("matched_entity_types", Json.strings(contentFilterNames()))
              .build();
      stages.add(
          new TraceEntry.Stage(
              TYPE, "content-filter", contentAction.summary(contentFilterNames()), data));
    }
    FilterAction injectionAction = strongest(true);
    if (injectionAction != null) {
      Json.Obj data =
          Json.object()
              .put("action", injectionAction.wireName())
              .put("detected", true)
              .put("engines", Json.array(Json.of("regex")))
              .put("patterns", Json.strings(injectionNames))
              .build();
      stages.add(
          new TraceEntry.Stage(
              TYPE, "regex_pi_detection", injectionAction.summary(injectionNames), data));
    }
    return stages;
  }

  private @Nullable FilterAction strongest(boolean isInjection) {
    FilterAction strongest = null;
    for (FilterRule rule : rules) {
      FilterAction action = blockingRules.contains(rule) ? FilterAction.BLOCK : rule.action();
      if (rule.detectsInjection() == isInjection
          && (strongest == null || action.compareTo(strongest) < 0)) {
        strongest = action;
      }
    }
    return strongest;
  }

  private Set<String> contentFilterNames() {
    var names = new LinkedHashSet<String>();
    for (FilterRule rule : rules) {
      if (!rule.detectsInjection()) {
        names.add(rule.name());
      }
    }
    return names;
  }
}
