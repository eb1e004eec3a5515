import type { Kysely } from 'kysely';

/** MCP servers, and which personas use their tools. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mcp_servers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('auth_cipher', 'text', (c) => c.notNull())
    .addColumn('allowed_tools_json', 'text')
    .addColumn('timeout_seconds', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text')
    .execute();
  await db.schema
    .createIndex('mcp_servers_newest')
    .on('mcp_servers')
    .columns(['organization_id', 'created_at'])
    .execute();
  await db.schema
    .createTable('persona_mcp_servers')
    .addColumn('persona_id', 'text', (c) => c.notNull().references('personas.id').onDelete('cascade'))
    .addColumn('mcp_server_id', 'text', (c) => c.notNull().references('mcp_servers.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('persona_mcp_servers_key', ['persona_id', 'mcp_server_id'])
    .execute();
  await db.schema.createIndex('persona_mcp_servers_server').on('persona_mcp_servers').column('mcp_server_id').execute();
}
