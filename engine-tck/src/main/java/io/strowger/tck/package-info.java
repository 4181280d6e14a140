/**
 * Fakes and contract tests for authors of providers, plugins and stores. The tests of the engine's
 * own implementations extend the same classes, which keeps them up to date. Start reading at {@link
 * io.strowger.tck.ChatProviderContract}; {@link io.strowger.tck.Given} creates requests, answers
 * and catalogs for tests.
 *
 * <p>To test a plugin, depend on the artifact {@code strowger-engine-tck} in scope {@code test} and
 * on nothing else: JUnit 6 and AssertJ come with it. Maven needs {@code maven-surefire-plugin} 3.0
 * or later, since older versions find no tests. The directory {@code examples} has such projects: a
 * router, an interceptor, a tool and an adapter.
 */
@NullMarked
package io.strowger.tck;

import org.jspecify.annotations.NullMarked;
