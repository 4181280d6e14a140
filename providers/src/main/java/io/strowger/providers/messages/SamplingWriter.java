package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.GenerationParameters;
import io.strowger.spi.provider.Call;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes sampling parameters and stop sequences of a request in another dialect. A thinking model
 * accepts no sampling parameter but {@code top_p}, and that only in a narrow range.
 */
final class SamplingWriter {
  private static final BigDecimal MIN_TOP_P = new BigDecimal("0.95");

  private final Call call;
  private final boolean thinking;
  private final Losses losses;
  private final Json.Obj.Builder body;

  private SamplingWriter(Call call, boolean thinking, Losses losses, Json.Obj.Builder body) {
    this.call = call;
    this.thinking = thinking;
    this.losses = losses;
    this.body = body;
  }

  static void put(Call call, boolean thinking, Losses losses, Json.Obj.Builder body) {
    var writer = new SamplingWriter(call, thinking, losses, body);
    GenerationParameters settings = call.request().generationParameters();
    for (Map.Entry<Parameter, Json> value : settings.values().entrySet()) {
      writer.put(value.getKey(), value.getValue());
    }
    writer.putStop(settings.stopSequences());
  }

  private void put(Parameter parameter, Json value) {
    String name = parameter.wireName();
    boolean hasForm =
        parameter == Parameter.TEMPERATURE
            || parameter == Parameter.TOP_P
            || parameter == Parameter.TOP_K;
    if (!hasForm) {
      losses.dropped(name, "has no form in this dialect");
    } else if (!call.endpoint().supports(parameter)) {
      losses.dropped(name, "the endpoint has no such parameter");
    } else if (thinking && parameter != Parameter.TOP_P) {
      losses.dropped(name, "a thinking model does not accept it");
    } else {
      Json accepted = parameter == Parameter.TOP_K ? value : clamp(name, value);
      if (accepted != null) {
        body.put(name, accepted);
      }
    }
  }

  private @Nullable Json clamp(String name, Json value) {
    if (!(value instanceof Json.Num number)) {
      losses.dropped(name, "is not a number");
      return null;
    }
    BigDecimal min =
        thinking && name.equals(Parameter.TOP_P.wireName()) ? MIN_TOP_P : BigDecimal.ZERO;
    BigDecimal original = number.decimal();
    BigDecimal clamped = original.max(min).min(BigDecimal.ONE);
    if (clamped.compareTo(original) == 0) {
      return value;
    }
    losses.changed(name, "must be " + min + " to 1 in this dialect: " + clamped + " was sent");
    return Json.of(clamped);
  }

  /** Writes the stop sequences; blank ones are left out, since upstreams refuse them. */
  private void putStop(List<String> stops) {
    if (stops.isEmpty()) {
      return;
    }
    if (!call.endpoint().supports(Parameter.STOP)) {
      losses.dropped("stop", "the endpoint has no such parameter");
      return;
    }
    var texts = new ArrayList<Json>();
    for (String text : stops) {
      if (text.isBlank()) {
        losses.dropped("stop", "a blank stop sequence is not accepted");
      } else {
        texts.add(Json.of(text));
      }
    }
    if (!texts.isEmpty()) {
      body.put("stop_sequences", Json.array(texts));
    }
  }
}
