package io.strowger.core.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.ledger.Payer;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Credential;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An account")
class AuthenticatorTest {
  private static final List<Payer> PAYERS = List.of(Payer.account(List.of()));
  private static final Caller APP = caller("app", "sk-app", false);
  private static final Caller ADMIN = caller("admin", "sk-admin", true);
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Authenticator ACCOUNTS = accounts(false, null);

  private static Authenticator accounts(boolean disabled, @Nullable Instant expiresAt) {
    return new Authenticator(
        key ->
            Stream.of(APP, ADMIN)
                .filter(caller -> caller.key().equals(key))
                .findFirst()
                .map(caller -> new Authenticator.LiveKey(caller, disabled, expiresAt))
                .orElse(null),
        () -> NOW);
  }

  private static Caller caller(String name, String key, boolean management) {
    return new Caller(Authenticator.id(new Credential(key)), name, management, PAYERS);
  }

  private static GatewayError refusal(ThrowingCallable admission) {
    var thrown = catchThrowableOfType(GatewayException.class, admission);
    return thrown.error();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer sk-app", "bearer sk-app", "BEARER  sk-app ", "Bearer \u2003sk-app"})
  @DisplayName("is found by its key")
  void admitted(String header) {
    assertThat(ACCOUNTS.admit(header, KeyRequirement.INFERENCE)).isSameAs(APP);
    assertThat(ACCOUNTS.admit(header, KeyRequirement.ANY)).isSameAs(APP);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "Bearer", "Bearer ", "sk-app", "Basic sk-app", "Bearersk-app"})
  @DisplayName("is not found without a bearer credential: 401")
  void missing(String header) {
    for (KeyRequirement keyRequirement : KeyRequirement.values()) {
      GatewayError error = refusal(() -> ACCOUNTS.admit(header, keyRequirement));
      assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
      assertThat(error.message()).isEqualTo("Missing Authentication header");
    }
    assertThat(refusal(() -> ACCOUNTS.admit(null, KeyRequirement.ANY)).message())
        .isEqualTo("Missing Authentication header");
  }

  @ParameterizedTest
  @EnumSource(KeyRequirement.class)
  @DisplayName("is not found by a key nobody has: 401 without naming it")
  void unknown(KeyRequirement keyRequirement) {
    GatewayError error = refusal(() -> ACCOUNTS.admit("Bearer sk-App", keyRequirement));
    assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
    assertThat(error.message()).isEqualTo("Invalid credentials");
  }

  @Test
  @DisplayName("is refused where its kind of key has no business: 403")
  void wrongKind() {
    GatewayError app = refusal(() -> ACCOUNTS.admit("Bearer sk-app", KeyRequirement.MANAGEMENT));
    assertThat(app.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(app.message()).isEqualTo("Only management keys can perform this operation");
    GatewayError admin = refusal(() -> ACCOUNTS.admit("Bearer sk-admin", KeyRequirement.INFERENCE));
    assertThat(admin.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(admin.message()).isEqualTo("Management keys cannot perform this operation");
    assertThat(ACCOUNTS.admit("Bearer sk-admin", KeyRequirement.MANAGEMENT)).isSameAs(ADMIN);
    assertThat(ACCOUNTS.admit("Bearer sk-admin", KeyRequirement.ANY)).isSameAs(ADMIN);
  }

  @Test
  @DisplayName("is found by a key that is not plain ASCII, and by all of it")
  void beyondAscii() {
    Caller odd = caller("odd", "sk-\u00e4\ud83d\ude80-1", false);
    var authenticator =
        new Authenticator(
            id -> odd.key().equals(id) ? new Authenticator.LiveKey(odd, false, null) : null,
            () -> NOW);
    assertThat(authenticator.admit("Bearer  sk-\u00e4\ud83d\ude80-1 ", KeyRequirement.ANY))
        .isSameAs(odd);
    refusal(() -> authenticator.admit("Bearer sk-\u00e4\ud83d\ude80-", KeyRequirement.ANY));
    refusal(() -> authenticator.admit("Bearer sk-a\ud83d\ude80-1", KeyRequirement.ANY));
  }

  @Test
  @DisplayName("is known by the SHA-256 of its key")
  void hash() {
    assertThat(Authenticator.id(new Credential("abc")).hex())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @ParameterizedTest
  @EnumSource(KeyRequirement.class)
  @DisplayName("is not found while its key is disabled: 401")
  void disabled(KeyRequirement keyRequirement) {
    GatewayError error = refusal(() -> accounts(true, null).admit("Bearer sk-app", keyRequirement));
    assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
    assertThat(error.message()).isEqualTo("The API key is disabled");
  }

  @Test
  @DisplayName("is not found from the moment on its key expires: 401")
  void expired() {
    assertThat(accounts(false, NOW.plusNanos(1)).admit("Bearer sk-app", KeyRequirement.ANY))
        .isSameAs(APP);
    for (Instant over : List.of(NOW, NOW.minusSeconds(1))) {
      GatewayError error =
          refusal(() -> accounts(false, over).admit("Bearer sk-app", KeyRequirement.ANY));
      assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
      assertThat(error.message()).isEqualTo("The API key has expired");
    }
  }

  @Test
  @DisplayName("is not found by a directory that gives another's key away: 401")
  void anothersKey() {
    var confused =
        new Authenticator(key -> new Authenticator.LiveKey(ADMIN, false, null), () -> NOW);
    assertThat(refusal(() -> confused.admit("Bearer sk-app", KeyRequirement.ANY)).message())
        .isEqualTo("Invalid credentials");
  }
}
