package io.strowger.spring;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UnaryProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a factory that is a bean, so that the gateway does not close it: Spring does, once and
 * after the gateway.
 */
record ProviderFactoryBean(ProviderFactory bean) implements ProviderFactory {
  ProviderFactoryBean {
    Objects.requireNonNull(bean, "bean");
  }

  @Override
  public String protocol() {
    return bean.protocol();
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return bean.create(settings);
  }

  @Override
  public @Nullable EmbeddingsProvider createEmbeddings(ProviderSettings settings) {
    return bean.createEmbeddings(settings);
  }

  @Override
  public @Nullable SpeechProvider createSpeech(ProviderSettings settings) {
    return bean.createSpeech(settings);
  }

  @Override
  public @Nullable UnaryProvider createUnary(ProviderSettings settings, Endpoint.Kind kind) {
    return bean.createUnary(settings, kind);
  }

  /** Does nothing, because Spring closes the bean. */
  @Override
  public void close() {}
}
