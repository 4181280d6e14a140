package io.strowger.core.encode;

import io.strowger.core.meter.Bill;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What the gateway charges, as members of a {@code usage} object; the same in every dialect. Chat
 * fact sheet, section 7; messages fact sheet, section 3.
 */
public final class Cost {
  private Cost() {}

  /**
   * Puts {@code cost}, {@code is_byok} and {@code cost_details}.
   *
   * @param bill null when the answer was not billed
   */
  public static void put(@Nullable Bill bill, Json.Obj.Builder usage) {
    usage
        .put("cost", bill == null ? Json.NULL : bill.total().json())
        .put("is_byok", bill != null && bill.byok())
        .put("cost_details", bill == null ? Json.NULL : details(bill));
  }

  private static Json.Obj details(Bill bill) {
    Usd upstream = bill.byok() ? bill.ownKeys() : bill.prompt().plus(bill.completion());
    return Json.object()
        .put("upstream_inference_cost", upstream.json())
        .put("upstream_inference_prompt_cost", bill.prompt().json())
        .put("upstream_inference_completions_cost", bill.completion().json())
        .build();
  }
}
