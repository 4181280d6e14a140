package io.strowger.core.decisionlog;

import io.strowger.core.routing.RecordedJson;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON form of a decision's attempts and outcome. */
final class EndingJson {
  private static final String USAGE = "usage";
  private static final String ESTIMATED = "estimated";

  private EndingJson() {}

  static Json.Obj write(LoggedDecision.Ending ending) {
    var attempts = new ArrayList<Json>();
    for (TraceEntry entry : ending.attempts()) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        attempts.add(attempted(attempted));
      } else if (entry instanceof TraceEntry.Skipped(var endpoint, var key, var reason)) {
        attempts.add(endpointJson(endpoint, key).put("skipped", reason).build());
      }
    }
    ErrorCode error = ending.error();
    Json.Obj.Builder json =
        Json.object()
            .put("attempts", Json.array(attempts))
            .put("outcome", ending.outcome().name())
            .putOrNull("error", error == null ? null : error.name());
    if (ending.usage() instanceof Usage usage) {
      json.put(USAGE, usage(usage)); // left out when null: older versions do not know it
    }
    return json.build();
  }

  private static Json usage(Usage usage) {
    Json.Obj.Builder json = Json.object();
    for (Usage.Quantity quantity : Usage.Quantity.values()) {
      if (usage.count(quantity) != 0) {
        json.put(quantity.wireName(), usage.count(quantity));
      }
    }
    if (usage.isEstimated()) {
      json.put(ESTIMATED, true);
    }
    return json.build();
  }

  private static Json attempted(TraceEntry.Attempted attempted) {
    FailureKind failure = attempted.failure();
    return endpointJson(attempted.endpoint(), attempted.byokKey())
        .put("status", attempted.status())
        .putOrNull("failure", failure == null ? null : failure.name())
        .put("nanos", attempted.nanos())
        .build();
  }

  private static Json.Obj.Builder endpointJson(String endpoint, @Nullable String key) {
    return Json.object().put("endpoint", endpoint).putOrNull("byok", key);
  }

  static LoggedDecision.Ending read(RecordedJson json) {
    List<TraceEntry> attempts = json.objects("attempts").stream().map(EndingJson::attempt).toList();
    return new LoggedDecision.Ending(
        attempts,
        json.constant("outcome", CallRecord.Outcome.class),
        json.optional("error", name -> json.constant(name, ErrorCode.class)),
        json.optional(USAGE, name -> usage(json.object(name))));
  }

  private static Usage usage(RecordedJson json) {
    Usage.Builder usage = Usage.builder();
    for (Usage.Quantity quantity : Usage.Quantity.values()) {
      usage.set(quantity, json.number(quantity.wireName(), 0));
    }
    return usage.estimated(json.flag(ESTIMATED, false)).build();
  }

  private static TraceEntry attempt(RecordedJson json) {
    String endpoint = json.text("endpoint");
    String key = json.optionalText("byok");
    if (!json.isAbsent("skipped")) {
      return new TraceEntry.Skipped(endpoint, key, json.text("skipped"));
    }
    return new TraceEntry.Attempted(
        endpoint,
        key,
        json.intNumber("status"),
        json.optional("failure", name -> json.constant(name, FailureKind.class)),
        json.number("nanos"));
  }
}
