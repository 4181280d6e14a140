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

/** Stands around a request that names it, and passes on everything but one word. */
final class PassingPlugin implements PluginProvider {
  static final String ID = "passing";

  /** What it refuses to pass on. */
  static final String REFUSED = "unspeakable";

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
        return new Refusing(chain.proceed(request));
      }
    };
  }

  private record Refusing(EventStream inner) implements EventStream {
    @Override
    public @Nullable Event next() {
      Event event = inner.next();
      return event instanceof Event.TextDelta said && said.text().text().equals(REFUSED)
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
