package io.strowger.core.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.ledger.Payer;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.provider.Credential;
import io.strowger.tck.conformance.Proves;
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

@DisplayName("A caller")
class AuthenticatorTest {
  private static final List<Payer> PAYERS = List.of(Payer.account(List.of()));
  private static final Caller APP = caller("app", "sk-app", false);
  private static final Caller ADMIN = caller("admin", "sk-admin", true);
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Authenticator AUTHENTICATOR = authenticator(false, null);

  private static Authenticator authenticator(boolean disabled, @Nullable Instant expiresAt) {
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

  @Proves({"authentication.1", "chat.header.authorization"})
  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer sk-app", "bearer sk-app", "BEARER  sk-app ", "Bearer \u2003sk-app"})
  @DisplayName("is admitted with its key")
  void admitted(String header) {
    assertThat(AUTHENTICATOR.admit(header, KeyRequirement.INFERENCE)).isSameAs(APP);
    assertThat(AUTHENTICATOR.admit(header, KeyRequirement.ANY)).isSameAs(APP);
  }

  @Proves({"authentication.3", "error.401"})
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "Bearer", "Bearer ", "sk-app", "Basic sk-app", "Bearersk-app"})
  @DisplayName("is refused with 401 without a bearer credential")
  void missing(String header) {
    for (KeyRequirement keyRequirement : KeyRequirement.values()) {
      GatewayError error = refusal(() -> AUTHENTICATOR.admit(header, keyRequirement));
      assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
      assertThat(error.message()).isEqualTo("Missing Authentication header");
    }
    assertThat(refusal(() -> AUTHENTICATOR.admit(null, KeyRequirement.ANY)).message())
        .isEqualTo("Missing Authentication header");
  }

  @Proves({"error.401", "resources.key.expired"})
  @ParameterizedTest
  @EnumSource(KeyRequirement.class)
  @DisplayName("is refused with 401 for an unknown key, which the error does not contain")
  void unknown(KeyRequirement keyRequirement) {
    GatewayError error = refusal(() -> AUTHENTICATOR.admit("Bearer sk-App", keyRequirement));
    assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
    assertThat(error.message()).isEqualTo("Invalid credentials");
  }

  @Proves("error.403")
  @Test
  @DisplayName("is refused with 403 if the operation requires the other kind of key")
  void wrongKind() {
    GatewayError app =
        refusal(() -> AUTHENTICATOR.admit("Bearer sk-app", KeyRequirement.MANAGEMENT));
    assertThat(app.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(app.message()).isEqualTo("Only management keys can perform this operation");
    GatewayError admin =
        refusal(() -> AUTHENTICATOR.admit("Bearer sk-admin", KeyRequirement.INFERENCE));
    assertThat(admin.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(admin.message()).isEqualTo("Management keys cannot perform this operation");
    assertThat(AUTHENTICATOR.admit("Bearer sk-admin", KeyRequirement.MANAGEMENT)).isSameAs(ADMIN);
    assertThat(AUTHENTICATOR.admit("Bearer sk-admin", KeyRequirement.ANY)).isSameAs(ADMIN);
  }

  @Test
  @DisplayName("is admitted with a key beyond ASCII, compared as a whole")
  void beyondAscii() {
    Caller beyondAscii = caller("odd", "sk-\u00e4\ud83d\ude80-1", false);
    var authenticator =
        new Authenticator(
            id ->
                beyondAscii.key().equals(id)
                    ? new Authenticator.LiveKey(beyondAscii, false, null)
                    : null,
            () -> NOW);
    assertThat(authenticator.admit("Bearer  sk-\u00e4\ud83d\ude80-1 ", KeyRequirement.ANY))
        .isSameAs(beyondAscii);
    refusal(() -> authenticator.admit("Bearer sk-\u00e4\ud83d\ude80-", KeyRequirement.ANY));
    refusal(() -> authenticator.admit("Bearer sk-a\ud83d\ude80-1", KeyRequirement.ANY));
  }

  @Proves("resources.key.hash")
  @Test
  @DisplayName("is identified by the SHA-256 of its key")
  void hash() {
    assertThat(Authenticator.id(new Credential("abc")).hex())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Proves("resources.key.expired")
  @ParameterizedTest
  @EnumSource(KeyRequirement.class)
  @DisplayName("is refused with 401 while its key is disabled")
  void disabled(KeyRequirement keyRequirement) {
    GatewayError error =
        refusal(() -> authenticator(true, null).admit("Bearer sk-app", keyRequirement));
    assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
    assertThat(error.message()).isEqualTo("The API key is disabled");
  }

  @Proves("resources.key.expired")
  @Test
  @DisplayName("is refused with 401 from the moment its key expires")
  void expired() {
    assertThat(authenticator(false, NOW.plusNanos(1)).admit("Bearer sk-app", KeyRequirement.ANY))
        .isSameAs(APP);
    for (Instant expiry : List.of(NOW, NOW.minusSeconds(1))) {
      GatewayError error =
          refusal(() -> authenticator(false, expiry).admit("Bearer sk-app", KeyRequirement.ANY));
      assertThat(error.code()).isEqualTo(ErrorCode.AUTHENTICATION);
      assertThat(error.message()).isEqualTo("The API key has expired");
    }
  }

  @Test
  @DisplayName("is refused with 401 if the key directory returns another key")
  void anothersKey() {
    var wrongDirectory =
        new Authenticator(key -> new Authenticator.LiveKey(ADMIN, false, null), () -> NOW);
    assertThat(refusal(() -> wrongDirectory.admit("Bearer sk-app", KeyRequirement.ANY)).message())
        .isEqualTo("Invalid credentials");
  }
}
