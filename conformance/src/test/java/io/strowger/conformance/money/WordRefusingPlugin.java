package io.strowger.conformance.money;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/** An interceptor that passes everything on, but refuses the rest of an answer at one word. */
final class WordRefusingPlugin implements PluginProvider {
  static final String ID = "word-refusing";

  /** The word at which it refuses the rest of an answer. */
  static final String REFUSED_WORD = "unspeakable";

  @Override
  public Descriptor descriptor() {
    return Descriptor.interceptor(ID).order(10).build();
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Interceptor() {
      @Override
      public Scope scope() {
        return Scope.REQUEST;
      }

      @Override
      public EventStream intercept(InferenceRequest request, Chain chain) {
        return new RefusingStream(chain.proceed(request));
      }
    };
  }

  private record RefusingStream(EventStream inner) implements EventStream {
    @Override
    public @Nullable Event next() {
      Event event = inner.next();
      return event instanceof Event.TextDelta delta && delta.text().text().equals(REFUSED_WORD)
          ? new Event.Failed(GatewayError.of(ErrorCode.PERMISSION_DENIED), null)
          : event;
    }

    @Override
    public boolean ready() {
      return inner.ready();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
