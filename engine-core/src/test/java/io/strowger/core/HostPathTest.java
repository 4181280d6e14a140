package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.http.HttpApi;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireRequest;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request to a path that the host serves itself")
class HostPathTest {
  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    ClassLoader loader = HostPathTest.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  @Test
  @DisplayName("is refused with 503 and Retry-After while the store is down")
  void storeDown() {
    var isStoreDown = new AtomicBoolean();
    var memory = new MemoryStores();
    DocumentStore documents =
        proxy(
            DocumentStore.class,
            (self, method, arguments) -> {
              if (isStoreDown.get()) {
                throw new StoreUnavailableException("down", null);
              }
              return method.invoke(memory.documents(), arguments);
            });
    Stores stores =
        proxy(
            Stores.class,
            (self, method, arguments) ->
                method.getName().equals("documents")
                    ? documents
                    : method.invoke(memory, arguments));
    var ambient = TestAmbient.at("2026-11-22T23:59:59Z");
    var server = new TestServer("", stores, ambient, SecretKeySource.NONE);
    isStoreDown.set(true);
    var request =
        new WireRequest(
            "GET",
            "/admin/load",
            "",
            name -> name.equals("Authorization") ? "Bearer sk-unknown-0123456789" : null,
            InputStream.nullInputStream(),
            new Cancellation());
    assertThatThrownBy(() -> server.gateway.admit(request, KeyRequirement.MANAGEMENT))
        .isInstanceOfSatisfying(
            GatewayException.class,
            refusal -> assertThat(refusal.error()).isEqualTo(HttpApi.STORE_UNAVAILABLE));
    isStoreDown.set(false);
    server.close();
    ambient.assertNoThreadsLeft();
  }
}
