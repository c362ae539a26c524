"""An agent of a2akit 0.0.32 as its users write one: JSON-RPC at / and HTTP+JSON at /v1. PORT in the environment."""
import asyncio, os
import uvicorn
from a2akit import A2AServer, AgentCardConfig, CapabilitiesConfig, SkillConfig, TaskContext, Worker

PORT = int(os.environ.get('PORT', 4131))


class WordsAgent(Worker):
    async def handle(self, ctx: TaskContext) -> None:
        text = ctx.user_text.lower()
        if 'message' in text:
            return await ctx.reply_directly(f'you said: {ctx.user_text}')
        if 'input' in text:
            return await ctx.request_input('What else?')
        if 'credentials' in text:
            return await ctx.request_auth('Sign in, please.')
        if 'reject' in text:
            return await ctx.reject('I will not do that.')
        if 'throw' in text:
            raise RuntimeError('boom')
        if 'fail' in text:
            return await ctx.fail('It failed.')
        if 'slow' in text:
            for n in range(8):
                await asyncio.sleep(0.5)
                if ctx.is_cancelled:
                    return
                await ctx.send_status(f'step {n}')
        if 'stream' in text:
            for n in range(4):
                await ctx.emit_text_artifact(f'chunk {n} ', artifact_id='streamed', append=n > 0, last_chunk=n == 3)
                await asyncio.sleep(0.1)
            await ctx.complete()
        elif 'files' in text:
            await ctx.emit_artifact(artifact_id='file', file_bytes=b'bytes', media_type='image/png', filename='dot.png', last_chunk=True)
            await ctx.complete()
        elif 'link' in text:
            await ctx.emit_artifact(artifact_id='link', file_url='https://example.com/dot.png', media_type='image/png', filename='dot.png', last_chunk=True)
            await ctx.complete()
        elif 'data' in text:
            await ctx.complete_json({'report': 'weekly', 'n': [1, 2.5, None]})
        else:
            await ctx.complete(f'echo: {ctx.user_text}')


app = A2AServer(
    worker=WordsAgent(),
    agent_card=AgentCardConfig(name='Words', description='An agent on a2akit', version='1.0.0',
        capabilities=CapabilitiesConfig(streaming=True, push_notifications=True),
        input_modes=['text/plain', 'application/json', 'image/png'], output_modes=['text/plain', 'application/json', 'image/png'],
        skills=[SkillConfig(id='echo', name='Echo', description='Says it again', tags=['echo'])]),
    additional_protocols=['http+json'],
    push_allow_http=True, push_allowed_hosts={'127.0.0.1', 'localhost', 'example.com'},
).as_fastapi_app()
uvicorn.run(app, host='127.0.0.1', port=PORT, log_level='warning')
