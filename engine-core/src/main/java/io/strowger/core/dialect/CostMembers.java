package io.strowger.core.dialect;

import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the gateway charges into a {@code usage} object, the same way in every dialect but
 * that of responses, which has other names. Chat fact sheet, section 7; messages fact sheet,
 * section 3.
 */
public final class CostMembers {
  private static final String UPSTREAM = "upstream_inference_cost";
  private static final String UPSTREAM_PROMPT = "upstream_inference_prompt_cost";
  private static final String UPSTREAM_COMPLETIONS = "upstream_inference_completions_cost";

  private CostMembers() {}

  /**
   * Puts {@code cost}, {@code is_byok} and {@code cost_details}.
   *
   * @param bill the bill; null when the answer was not billed
   */
  public static void put(@Nullable Bill bill, Json.Obj.Builder usage) {
    usage
        .put("cost", bill == null ? Json.NULL : bill.total().json())
        .put("is_byok", bill != null && bill.byok())
        .put("cost_details", bill == null ? Json.NULL : details(bill));
  }

  /** Writes the same members as {@link #put}. */
  public static void write(@Nullable Bill bill, ObjectWriter usage) {
    if (bill == null) {
      usage.put("cost", Json.NULL).put("is_byok", Json.FALSE).put("cost_details", Json.NULL);
      return;
    }
    usage
        .put("cost", bill.total())
        .put("is_byok", Json.of(bill.byok()))
        .object("cost_details")
        .put(UPSTREAM, bill.upstreamCost())
        .put(UPSTREAM_PROMPT, bill.prompt())
        .put(UPSTREAM_COMPLETIONS, bill.completion())
        .end();
  }

  private static Json.Obj details(Bill bill) {
    return Json.object()
        .put(UPSTREAM, bill.upstreamCost().json())
        .put(UPSTREAM_PROMPT, bill.prompt().json())
        .put(UPSTREAM_COMPLETIONS, bill.completion().json())
        .build();
  }
}
