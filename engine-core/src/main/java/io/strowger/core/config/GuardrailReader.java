package io.strowger.core.config;

import io.strowger.core.guardrail.FilterPattern;
import io.strowger.spi.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks a guardrail in the form of its resource. Fact sheet: resources, section 4. */
final class GuardrailReader {
  private static final WordChoice<String> INTERVALS =
      WordChoice.words("daily", "weekly", "monthly");
  private static final WordChoice<String> ACTIONS = WordChoice.words("redact", "block", "flag");
  private static final WordChoice<String> DIRECTIONS = WordChoice.words("input", "output", "both");
  private static final WordChoice<String> SCOPES = WordChoice.words("all_messages", "user_only");
  private static final WordChoice<String> BUILTINS =
      WordChoice.words(
          "email",
          "phone",
          "ssn",
          "credit-card",
          "ip-address",
          "person-name",
          "address",
          "regex-prompt-injection");

  private GuardrailReader() {}

  static Json.Obj read(Section in) {
    in.text("id");
    in.text("name", "must be text of 1 to 200 characters", text -> isUpTo(200, text));
    in.require("name");
    in.text("description", "must be text of at most 1000 characters", text -> isUpTo(1000, text));
    in.text("workspace_id");
    in.dollars("limit_usd", 9, 9_000_000_000L, true);
    in.choice("reset_interval", INTERVALS);
    in.flag("include_byok_in_budgets", false);
    for (String list :
        new String[] {
          "allowed_models", "ignored_models", "allowed_providers", "ignored_providers"
        }) {
      requireNotEmpty(in, list, in.texts(list));
    }
    for (String flag :
        new String[] {
          "enforce_zdr",
          "enforce_zdr_anthropic",
          "enforce_zdr_openai",
          "enforce_zdr_google",
          "enforce_zdr_xai",
          "enforce_zdr_other",
          "enable_free_model_training",
          "enable_paid_model_training",
          "enable_free_model_publication"
        }) {
      in.flag(flag, false);
    }
    in.sections("content_filters", (filter, i) -> checkPattern(filter));
    in.sections("content_filter_builtins", (filter, i) -> checkBuiltin(filter));
    return in.wholeObject();
  }

  private static boolean isUpTo(int max, String text) {
    return !text.isBlank() && text.length() <= max;
  }

  private static void requireNotEmpty(Section in, String name, @Nullable List<String> list) {
    if (list != null && list.isEmpty() && in.isEmptyList(name)) {
      in.problem(name, "must name at least one, or be null");
    }
  }

  private static boolean checkPattern(Section in) {
    String pattern = in.text("pattern", "must be text", text -> true);
    in.require("pattern");
    String problem = pattern == null ? null : FilterPattern.problem(pattern);
    if (problem != null) {
      in.problem("pattern", problem);
    }
    in.choice("action", ACTIONS);
    in.require("action");
    in.choice("direction", DIRECTIONS);
    in.text("label", "must be text of 1 to 100 characters", text -> isUpTo(100, text));
    return true;
  }

  private static boolean checkBuiltin(Section in) {
    in.choice("slug", BUILTINS);
    in.require("slug");
    in.choice("action", ACTIONS);
    in.require("action");
    in.choice("scan_scope", SCOPES);
    in.choice("direction", DIRECTIONS);
    return true;
  }
}
