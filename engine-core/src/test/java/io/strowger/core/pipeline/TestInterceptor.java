package io.strowger.core.pipeline;

import io.strowger.core.config.Plugins;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.provider.EventStream;
import java.util.function.BiFunction;

/** An interceptor that runs this action on every request, without being named in it. */
record TestInterceptor(
    String id, int order, Scope scope, BiFunction<InferenceRequest, Chain, EventStream> action)
    implements PluginProvider {
  static Plugins pluginsOf(TestInterceptor... plugins) {
    Plugins all = Plugins.none();
    for (TestInterceptor one : plugins) {
      boolean standard = one.id().equals("moderation"); // built into every gateway
      all = standard ? all.replace(one.id(), one) : all.add(one);
      all = all.always(one.id(), Json.Obj.EMPTY);
    }
    return all;
  }

  @Override
  public Descriptor descriptor() {
    return Descriptor.interceptor(id).order(order).build();
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Interceptor() {
      @Override
      public Scope scope() {
        return scope;
      }

      @Override
      public EventStream intercept(InferenceRequest request, Chain chain) {
        return action.apply(request, chain);
      }
    };
  }
}
