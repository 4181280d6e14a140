/**
 * Keeps what is known of finished requests, without letting a request wait for it. Start reading at
 * {@link io.strowger.stores.generations.JdbcGenerations}.
 */
@NullMarked
package io.strowger.stores.generations;

import org.jspecify.annotations.NullMarked;
