package io.strowger.core.http;

import static io.strowger.core.http.Calls.json;
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

@DisplayName("Keys that several change")
class KeyChangesTest {
  private final Calls calls = Calls.roomy();

  private WireResponse send(String method, String path, String body) {
    return calls.call(method, path).key("sk-admin").body(body.replace('\'', '"')).send();
  }

  private static Json.Obj good(WireResponse response) {
    assertThat(response.status()).isEqualTo(200);
    return json(response);
  }

  private Json.Obj create(String body) {
    return good(send("POST", "/keys", body));
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
    return calls.chat(Calls.GOOD).key(key).send();
  }

  @Test
  @DisplayName("lose none of two changes at once")
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
    Json.Obj after = data(good(send("GET", "/keys/" + hash, "")));
    assertThat(after.text("name")).isEqualTo("m99");
    assertThat(after.get("limit")).isEqualTo(Json.of(106));
    assertThat(after.text("limit_reset")).isEqualTo("weekly");
    assertThat(after.get("disabled")).isEqualTo(Json.FALSE);
    assertThat(version(hash)).as("every change was one").isEqualTo(401);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long version(String hash) {
    return Objects.requireNonNull(calls.stores.documents().find("key", hash)).version();
  }

  @Test
  @DisplayName("that another node disables are refused within a quarter of a second")
  void otherNode() {
    Json.Obj created = create("{'name':'n'}");
    String key = plaintext(created);
    assertThat(ask(key).status()).isEqualTo(200);
    look();
    assertThat(ask(key).status()).isEqualTo(200);
    var other = new Calls(calls);
    assertThat(
            other
                .call("PATCH", "/keys/" + hash(created))
                .key("sk-admin")
                .body("{\"disabled\":true}")
                .send()
                .status())
        .isEqualTo(200);
    assertThat(other.chat(Calls.GOOD).key(key).send().status()).isEqualTo(401);
    assertThat(ask(key).status()).as("not seen yet").isEqualTo(200);
    look();
    assertThat(ask(key).status()).isEqualTo(401);
  }

  private void look() {
    calls.ambient.awaitSleepers(1);
    calls.ambient.advance(StoreWatch.POLL_INTERVAL);
    calls.ambient.awaitSleepers(1);
  }

  @Test
  @DisplayName("of the configuration that are deleted stay so when the next gateway starts")
  void deletedForGood() {
    String hash = Authenticator.id(new Credential("sk-app")).hex();
    assertThat(ask("sk-app").status()).isEqualTo(200);
    assertThat(send("DELETE", "/keys/" + hash, "").status()).isEqualTo(200);
    var next = new Calls(calls);
    assertThat(next.chat(Calls.GOOD).key("sk-app").send().status()).isEqualTo(401);
    assertThat(next.call("GET", "/keys/" + hash).key("sk-admin").send().status()).isEqualTo(404);
    assertThat(send("DELETE", "/keys/" + hash, "").status()).isEqualTo(404);
  }

  @Test
  @DisplayName("of the configuration that are changed stay so when the next gateway starts")
  void changedForGood() {
    String hash = Authenticator.id(new Credential("sk-app")).hex();
    good(send("PATCH", "/keys/" + hash, "{'limit':7}"));
    good(send("PATCH", "/keys/" + hash, "{'disabled':true}"));
    var next = new Calls(calls);
    assertThat(next.chat(Calls.GOOD).key("sk-app").send().status()).isEqualTo(401);
    assertThat(send("DELETE", "/keys/" + hash, "").status()).isEqualTo(200);
    assertThat(new Calls(calls).call("GET", "/keys/" + hash).key("sk-admin").send().status())
        .isEqualTo(404);
  }
}
