package io.strowger.core.administration;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Payer;
import io.strowger.core.resource.WorkspaceFields;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of the account that has its BYOK keys, guardrails and budgets. Resources fact sheet,
 * section 4.
 *
 * @param id a UUID
 * @param budgets what may be spent by period
 * @param updatedAt null until the first update
 */
public record Workspace(
    String id,
    WorkspaceFields fields,
    Map<Period, Usd> budgets,
    Instant createdAt,
    @Nullable Instant updatedAt) {
  private static final String BUDGETS = "budgets";

  public Workspace {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(fields, "fields");
    budgets = Map.copyOf(budgets);
    Objects.requireNonNull(createdAt, "createdAt");
  }

  /** Whom the requests of its keys spend from. */
  Payer payer() {
    List<Budget> all = new ArrayList<>();
    for (Period period : Period.values()) {
      Usd limit = budgets.get(period);
      if (limit != null) {
        all.add(new Budget(period, limit, false));
      }
    }
    return new Payer(Payer.Kind.WORKSPACE, id, all);
  }

  static Json.Obj body(WorkspaceFields fields) {
    return with(Json.Obj.EMPTY, fields);
  }

  static Json.Obj with(Json.Obj body, WorkspaceFields fields) {
    return Json.object()
        .putAll(body)
        .put("name", fields.name())
        .put("slug", fields.slug())
        .putOrNull("description", fields.description())
        .putOrNull("default_text_model", fields.textModel())
        .putOrNull("default_image_model", fields.imageModel())
        .putOrNull("default_provider_sort", fields.providerSort())
        .put("is_observability_io_logging_enabled", fields.logging())
        .put("is_observability_broadcast_enabled", fields.broadcast())
        .build();
  }

  static Json.Obj with(Json.Obj body, Map<Period, Usd> budgets) {
    Json.Obj.Builder all = Json.object();
    for (Period period : Period.values()) {
      Usd limit = budgets.get(period);
      if (limit != null) {
        all.put(word(period), limit.json());
      }
    }
    return body.with(BUDGETS, all.build());
  }

  private static String word(Period period) {
    return period.name().toLowerCase(Locale.ROOT);
  }

  static Workspace read(Document document) {
    Json.Obj body = document.body();
    var fields =
        new WorkspaceFields(
            Objects.requireNonNullElse(body.text("name"), ""),
            Objects.requireNonNullElse(body.text("slug"), ""),
            body.text("description"),
            body.text("default_text_model"),
            body.text("default_image_model"),
            body.text("default_provider_sort"),
            Json.TRUE.equals(body.get("is_observability_io_logging_enabled")),
            !Json.FALSE.equals(body.get("is_observability_broadcast_enabled")));
    Map<Period, Usd> budgets = new EnumMap<>(Period.class);
    Json.Obj limits = body.object(BUDGETS);
    for (Period period : Period.values()) {
      if (limits != null && limits.get(word(period)) instanceof Json.Num limit) {
        budgets.put(period, Usd.ofDollars(limit.decimal()));
      }
    }
    return new Workspace(
        document.id(),
        fields,
        budgets,
        document.createdAt(),
        document.version() == 1 ? null : document.updatedAt());
  }
}
