package io.strowger.core.http;

import static io.strowger.core.http.TestHttpApi.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Authenticator;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Keys")
class KeyChangesTest {
  private final TestHttpApi api = TestHttpApi.withLargeBodies();

  private WireResponse send(String method, String path, String body) {
    return api.call(method, path).key("sk-admin").body(body.replace('\'', '"')).send();
  }

  private static Json.Obj okJson(WireResponse response) {
    assertThat(response.status()).isEqualTo(200);
    return json(response);
  }

  private Json.Obj create(String body) {
    return okJson(send("POST", "/keys", body));
  }

  private static Json.Obj data(Json.Obj answer) {
    return Objects.requireNonNull(answer.object("data"));
  }

  private static String hash(Json.Obj created) {
    return Objects.requireNonNull(data(created).text("hash"));
  }

  private static String plaintext(Json.Obj created) {
    return Objects.requireNonNull(created.text("key"));
  }

  private WireResponse ask(String key) {
    return api.chat(TestHttpApi.CHAT_BODY).key(key).send();
  }

  @Test
  @DisplayName("lose no change when several are made at once")
  void races() throws InterruptedException {
    String hash = hash(create("{'name':'n'}"));
    var start = new CountDownLatch(1);
    var failed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    List<IntFunction<String>> changes =
        List.of(
            i -> "{'name':'m" + i + "'}",
            i -> "{'limit':" + (7 + i) + "}",
            i -> "{'limit_reset':'" + (i % 2 == 0 ? "daily" : "weekly") + "'}",
            i -> "{'disabled':" + (i % 2 == 0) + "}");
    for (IntFunction<String> change : changes) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(start);
                    for (int i = 0; i < 100; i++) {
                      String body = change.apply(i);
                      failed.addAndGet(send("PATCH", "/keys/" + hash, body).status() / 201);
                    }
                  }));
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failed).hasValue(0);
    Json.Obj after = data(okJson(send("GET", "/keys/" + hash, "")));
    assertThat(after.text("name")).isEqualTo("m99");
    assertThat(after.get("limit")).isEqualTo(Json.of(106));
    assertThat(after.text("limit_reset")).isEqualTo("weekly");
    assertThat(after.get("disabled")).isEqualTo(Json.FALSE);
    assertThat(version(hash)).as("one version for each change").isEqualTo(401);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long version(String hash) {
    return Objects.requireNonNull(api.stores.documents().find("key", hash)).version();
  }

  @Test
  @DisplayName("that another node disables are refused within a quarter of a second")
  void otherNode() {
    Json.Obj created = create("{'name':'n'}");
    String key = plaintext(created);
    assertThat(ask(key).status()).isEqualTo(200);
    awaitPoll();
    assertThat(ask(key).status()).isEqualTo(200);
    var other = new TestHttpApi(api);
    assertThat(
            other
                .call("PATCH", "/keys/" + hash(created))
                .key("sk-admin")
                .body("{\"disabled\":true}")
                .send()
                .status())
        .isEqualTo(200);
    assertThat(other.chat(TestHttpApi.CHAT_BODY).key(key).send().status()).isEqualTo(401);
    assertThat(ask(key).status()).as("not seen yet").isEqualTo(200);
    awaitPoll();
    assertThat(ask(key).status()).isEqualTo(401);
  }

  private void awaitPoll() {
    api.ambient.awaitSleepers(1);
    api.ambient.advance(StoreWatch.POLL_INTERVAL);
    api.ambient.awaitSleepers(1);
  }

  @Test
  @DisplayName("of the configuration stay deleted when the next gateway starts")
  void deletedForGood() {
    String hash = Authenticator.id(new Credential("sk-app")).hex();
    assertThat(ask("sk-app").status()).isEqualTo(200);
    assertThat(send("DELETE", "/keys/" + hash, "").status()).isEqualTo(200);
    var next = new TestHttpApi(api);
    assertThat(next.chat(TestHttpApi.CHAT_BODY).key("sk-app").send().status()).isEqualTo(401);
    assertThat(next.call("GET", "/keys/" + hash).key("sk-admin").send().status()).isEqualTo(404);
    assertThat(send("DELETE", "/keys/" + hash, "").status()).isEqualTo(404);
  }

  @Test
  @DisplayName("of the configuration stay changed when the next gateway starts")
  void changedForGood() {
    String hash = Authenticator.id(new Credential("sk-app")).hex();
    okJson(send("PATCH", "/keys/" + hash, "{'limit':7}"));
    okJson(send("PATCH", "/keys/" + hash, "{'disabled':true}"));
    var next = new TestHttpApi(api);
    assertThat(next.chat(TestHttpApi.CHAT_BODY).key("sk-app").send().status()).isEqualTo(401);
    assertThat(send("DELETE", "/keys/" + hash, "").status()).isEqualTo(200);
    assertThat(new TestHttpApi(api).call("GET", "/keys/" + hash).key("sk-admin").send().status())
        .isEqualTo(404);
  }
}
