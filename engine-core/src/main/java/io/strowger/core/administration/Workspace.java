package io.strowger.core.administration;

import static io.strowger.core.resource.WorkspaceTable.BUDGETS;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Payer;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.Period;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a workspace for the requests of its keys. Resources fact sheet, section 4.
 *
 * @param id a UUID
 * @param textModel the model for requests that name none; null for the account's
 * @param providerSort the order of endpoints when a request sets none; null for the order of the
 *     account
 * @param keepsContent whether prompts and answers are stored
 * @param broadcasts whether its calls are sent to destinations
 * @param budgets the most that may be spent in each period
 */
public record Workspace(
    String id,
    @Nullable String textModel,
    @Nullable String providerSort,
    boolean keepsContent,
    boolean broadcasts,
    Map<Period, Usd> budgets) {
  public Workspace {
    Objects.requireNonNull(id, "id");
    budgets = Map.copyOf(budgets);
  }

  /** Returns the payer that the requests of its keys spend from. */
  Payer payer() {
    List<Budget> limits = new ArrayList<>();
    for (Period period : Period.values()) {
      Usd limit = budgets.get(period);
      if (limit != null) {
        limits.add(new Budget(period, limit, false));
      }
    }
    return new Payer(Payer.Kind.WORKSPACE, id, limits);
  }

  /** Returns the body of a workspace with other budgets. */
  static Json.Obj withBudgets(Json.Obj body, Map<Period, Usd> budgets) {
    Json.Obj.Builder limits = Json.object();
    for (Period period : Period.values()) {
      Usd limit = budgets.get(period);
      if (limit != null) {
        limits.put(wireName(period), limit.json());
      }
    }
    return body.with(BUDGETS, limits.build());
  }

  static String wireName(Period period) {
    return period.name().toLowerCase(Locale.ROOT);
  }

  /** Reads the document of a workspace. */
  public static Workspace read(Document document) {
    Json.Obj body = document.body();
    Map<Period, Usd> budgets = new EnumMap<>(Period.class);
    Json.Obj limits = body.object(BUDGETS);
    for (Period period : Period.values()) {
      if (limits != null && limits.get(wireName(period)) instanceof Json.Num limit) {
        budgets.put(period, Usd.ofDollars(limit.decimal()));
      }
    }
    return new Workspace(
        document.id(),
        body.text("default_text_model"),
        body.text("default_provider_sort"),
        Json.TRUE.equals(body.get("is_observability_io_logging_enabled")),
        !Json.FALSE.equals(body.get("is_observability_broadcast_enabled")),
        budgets);
  }
}
