package io.strowger.plugins.fusion;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The plugin fusion")
class FusionContractTest extends InterceptorContract {
  static final Catalog CATALOG =
      Given.catalog(
          Given.endpoint("alpha", "acme/one", "1"), Given.endpoint("alpha", "acme/two", "2"));

  @Override
  protected Interceptor interceptor() {
    return new FusionProvider().create(PluginConfig.EMPTY, CATALOG);
  }

  @Override
  protected InferenceRequest actingRequest() {
    return Given.streaming("router/fusion", "hello");
  }

  /** Returns null, since the plugin acts on every request that names it. */
  @Override
  protected @Nullable InferenceRequest passingRequest() {
    return null;
  }
}
