package io.strowger.core.http;

import io.strowger.core.administration.Guardrails;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import java.util.List;

/** A guardrail as it is kept and shown. Resources fact sheet, section 4. */
final class GuardrailJson {
  private static final List<String> ZDR_GROUPS =
      List.of("anthropic", "openai", "google", "xai", "other");

  /** Has what a guardrail has to have. */
  static final Json.Obj NAMED = Json.object().put("name", "guardrail").build();

  private GuardrailJson() {}

  /** The body says something of a guardrail. */
  static boolean changes(Json.Obj body) {
    return Guardrails.MEMBERS.stream().anyMatch(body::has);
  }

  /** What is kept after a change: a null clears, what is absent stays. Keeps no body reachable. */
  static Json.Obj kept(Json.Obj current, Json.Obj change) {
    Json.Obj body = current;
    for (String name : Guardrails.MEMBERS) {
      Json value = change.get(name);
      if (value instanceof Json.Null) {
        body = body.without(name);
      } else if (value != null) {
        body = body.with(name, value.detached());
      }
    }
    return body;
  }

  static Json.Obj shown(Document guardrail) {
    Json.Obj body = guardrail.body();
    Json.Obj.Builder out = Json.object().put("id", guardrail.id());
    for (String name : Guardrails.MEMBERS) {
      Json value = body.get(name);
      out.put(name, value == null ? Json.NULL : value);
    }
    if (!body.has("include_byok_in_budgets")) {
      out.put("include_byok_in_budgets", false);
    }
    for (String group : ZDR_GROUPS) {
      String name = "enforce_zdr_" + group;
      if (!body.has(name) && body.get("enforce_zdr") instanceof Json.Bool all) {
        out.put(name, all); // the deprecated switch fills those that are not set
      }
    }
    return out.put("workspace_id", guardrail.group())
        .put("created_at", Timestamps.text(guardrail.createdAt()))
        .putOrNull(
            "updated_at", guardrail.version() == 1 ? null : Timestamps.text(guardrail.updatedAt()))
        .build();
  }
}
