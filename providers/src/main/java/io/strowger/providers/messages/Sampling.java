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
 * accepts only {@code top_p} of the parameters, in a narrow range.
 */
final class Sampling {
  private static final BigDecimal MIN_TOP_P = new BigDecimal("0.95");

  private final Call call;
  private final boolean thinking;
  private final Losses losses;
  private final Json.Obj.Builder body;

  private Sampling(Call call, boolean thinking, Losses losses, Json.Obj.Builder body) {
    this.call = call;
    this.thinking = thinking;
    this.losses = losses;
    this.body = body;
  }

  static void put(Call call, boolean thinking, Losses losses, Json.Obj.Builder body) {
    var sampling = new Sampling(call, thinking, losses, body);
    GenerationParameters settings = call.request().generationParameters();
    for (Map.Entry<Parameter, Json> value : settings.values().entrySet()) {
      sampling.put(value.getKey(), value.getValue());
    }
    sampling.stop(settings.stop());
  }

  private void put(Parameter parameter, Json value) {
    String name = parameter.wireName();
    boolean known =
        parameter == Parameter.TEMPERATURE
            || parameter == Parameter.TOP_P
            || parameter == Parameter.TOP_K;
    if (!known) {
      losses.dropped(name, "has no form in this dialect");
    } else if (!call.endpoint().supports(parameter)) {
      losses.dropped(name, "the endpoint takes none");
    } else if (thinking && parameter != Parameter.TOP_P) {
      losses.dropped(name, "a model that thinks takes none");
    } else {
      Json fitting = parameter == Parameter.TOP_K ? value : clamped(name, value);
      if (fitting != null) {
        body.put(name, fitting);
      }
    }
  }

  private @Nullable Json clamped(String name, Json value) {
    if (!(value instanceof Json.Num number)) {
      losses.dropped(name, "is no number");
      return null;
    }
    BigDecimal least =
        thinking && name.equals(Parameter.TOP_P.wireName()) ? MIN_TOP_P : BigDecimal.ZERO;
    BigDecimal given = number.decimal();
    BigDecimal fitting = given.max(least).min(BigDecimal.ONE);
    if (fitting.compareTo(given) == 0) {
      return value;
    }
    losses.changed(name, "may be " + least + " to 1 here: " + fitting);
    return Json.of(fitting);
  }

  /** Writes the stop sequences; blank ones are left out, since upstreams refuse them. */
  private void stop(List<String> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    if (!call.endpoint().supports(Parameter.STOP)) {
      losses.dropped("stop", "the endpoint takes none");
      return;
    }
    var texts = new ArrayList<Json>();
    for (String text : wanted) {
      if (text.isBlank()) {
        losses.dropped("stop", "a text of nothing but blanks is not taken");
      } else {
        texts.add(Json.of(text));
      }
    }
    if (!texts.isEmpty()) {
      body.put("stop_sequences", Json.array(texts));
    }
  }
}
